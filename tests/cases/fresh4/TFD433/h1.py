import tensorflow as tf
from keras.losses import CategoricalCrossentropy

train = tf.keras.utils.text_dataset_from_directory(
    "tickets/train", label_mode="categorical", batch_size=64, seed=6
)
topics = train.class_names

vectorize = tf.keras.layers.TextVectorization(max_tokens=15_000, output_sequence_length=150)
vectorize.adapt(train.map(lambda text, topic: text, num_parallel_calls=tf.data.AUTOTUNE))


def encode(text, topic):
    return vectorize(text), topic


train = train.map(encode, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((150,)),
    tf.keras.layers.Embedding(15_000, 64),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(len(topics), activation="softmax"),
])
model.compile(optimizer="adam", loss=CategoricalCrossentropy(label_smoothing=0.1))
model.fit(train, epochs=6)
