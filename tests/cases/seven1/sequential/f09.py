import tensorflow as tf

shards = tf.io.gfile.glob("gs://ads-logs/2024/part-*.tfrecord")
SPEC = {"dense": tf.io.FixedLenFeature([13], tf.float32),
        "cat": tf.io.FixedLenFeature([26], tf.int64),
        "click": tf.io.FixedLenFeature([], tf.float32)}


@tf.function
def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    return (ex["dense"], ex["cat"]), ex["click"]


ds = (tf.data.TFRecordDataset(shards)
      .shuffle(100_000)
      .batch(4096, drop_remainder=True)
      .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
      .prefetch(tf.data.AUTOTUNE))

dense_in = tf.keras.Input((13,))
cat_in = tf.keras.Input((26,), dtype="int64")
emb = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(1_000_000, 16)(cat_in))
x = tf.keras.layers.Concatenate()([dense_in, emb])
model = tf.keras.Model([dense_in, cat_in], tf.keras.layers.Dense(1)(x))
optimizer = tf.keras.optimizers.Adagrad(0.01)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def train_step(inputs, y):
    with tf.GradientTape() as tape:
        loss = bce(y[:, None], model(list(inputs), training=True))
    optimizer.apply_gradients(
        zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for features, click in ds:
    train_step(features, click)
