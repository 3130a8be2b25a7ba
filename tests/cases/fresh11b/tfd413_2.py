import tensorflow as tf

TRAIN_DIRS = ["/data/lm/wiki", "/data/lm/books", "/data/lm/news"]
CTX = 512


def shard_reader(directory):
    files = tf.data.Dataset.list_files(tf.strings.join([directory, "/*.tfrecord"]), shuffle=True)
    return files.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE).repeat()


def parse(rec):
    ids = tf.io.parse_single_example(rec, {"ids": tf.io.FixedLenFeature([CTX + 1], tf.int64)})["ids"]
    return ids[:-1], ids[1:]


def train_dataset(batch_size):
    dirs = tf.data.Dataset.from_tensor_slices(TRAIN_DIRS)
    ds = dirs.flat_map(shard_reader)
    ds = ds.shuffle(20_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Embedding(50257, 512), tf.keras.layers.LSTM(512, return_sequences=True),
            tf.keras.layers.Dense(50257)])
        model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train_dataset(64), steps_per_epoch=5000, epochs=40)


if __name__ == "__main__":
    main()
