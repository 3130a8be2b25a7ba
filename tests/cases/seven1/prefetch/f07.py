import tensorflow as tf
import keras


def get_dataset(files, batch_size):
    dataset = tf.data.TFRecordDataset(files, num_parallel_reads=16)
    dataset = dataset.shuffle(10000, reshuffle_each_iteration=True)
    dataset = dataset.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.batch(batch_size)
    dataset.prefetch(tf.data.AUTOTUNE)
    return dataset


def decode(serialized):
    parsed = tf.io.parse_single_example(
        serialized,
        {"img": tf.io.FixedLenFeature([], tf.string), "cls": tf.io.FixedLenFeature([], tf.int64)},
    )
    img = tf.reshape(tf.io.decode_raw(parsed["img"], tf.uint8), (32, 32, 3))
    return tf.cast(img, tf.float32) / 127.5 - 1.0, parsed["cls"]


train_files = tf.io.gfile.glob("/mnt/cifar/train*.rec")
model = keras.Sequential([
    keras.layers.Conv2D(64, 3, activation="relu"),
    keras.layers.MaxPooling2D(),
    keras.layers.Flatten(),
    keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(get_dataset(train_files, 128), epochs=100)
