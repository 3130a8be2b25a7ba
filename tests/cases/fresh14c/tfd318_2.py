import functools

import tensorflow as tf

MAX_LEN = 256


def _string():
    return tf.io.FixedLenFeature([], tf.string)


def _integer():
    return tf.io.FixedLenFeature([], tf.int64)


class DocumentReader:
    def __init__(self, batch_size=128):
        self.batch_size = batch_size
        self.spec = dict(
            tokens=tf.io.RaggedFeature(tf.int64),
            topic=_integer(),
            url=_string(),
            raw_html=_string(),
            crawl_time=_integer(),
        )

    def parse(self, batch):
        return tf.io.parse_example(batch, self.spec)

    def select(self, docs):
        tokens = docs["tokens"][:, :MAX_LEN].to_tensor(shape=[None, MAX_LEN])
        return tokens, docs["topic"]

    def read(self, files, shuffle_buffer=0):
        ds = tf.data.Dataset.from_tensor_slices(files)
        if shuffle_buffer:
            ds = ds.shuffle(len(files))
        open_file = functools.partial(tf.data.TFRecordDataset, compression_type="GZIP")
        ds = ds.interleave(open_file, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        if shuffle_buffer:
            ds = ds.shuffle(shuffle_buffer)
        ds = ds.batch(self.batch_size)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.select, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def topic_model(vocabulary, topics):
    tokens = tf.keras.Input([MAX_LEN], dtype=tf.int64)
    x = tf.keras.layers.Embedding(vocabulary, 128)(tokens)
    x = tf.keras.layers.Conv1D(128, 5, activation="relu")(x)
    x = tf.keras.layers.GlobalMaxPooling1D()(x)
    return tf.keras.Model(tokens, tf.keras.layers.Dense(topics)(x))


def main():
    reader = DocumentReader()
    train = reader.read(tf.io.gfile.glob("/crawl/train/*.tfrecord.gz"), shuffle_buffer=20_000)
    test = reader.read(tf.io.gfile.glob("/crawl/test/*.tfrecord.gz"))
    model = topic_model(50_000, 40)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.Adam()
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def step(tokens, topics):
        with tf.GradientTape() as tape:
            loss = loss_fn(topics, model(tokens, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))

    @tf.function
    def score(tokens, topics):
        accuracy.update_state(topics, model(tokens, training=False))

    for epoch in range(5):
        for tokens, topics in train:
            step(tokens, topics)
        accuracy.reset_state()
        for tokens, topics in test:
            score(tokens, topics)
        print(epoch, float(accuracy.result()))


if __name__ == "__main__":
    main()
