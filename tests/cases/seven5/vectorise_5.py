"""Next-song prediction: ids by look-up table, 200 million plays."""
import tensorflow as tf
import keras
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("plays", "/data/plays/day-*.tfrecord", "play events, batched by day")
flags.DEFINE_string("songs", "/data/plays/songs.txt", "one song a line")
flags.DEFINE_integer("batch_size", 8192, "plays in a batch")

USER_BUCKETS = 2_000_000


def song_table(path):
    init = tf.lookup.TextFileInitializer(
        path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
        tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
    return tf.lookup.StaticVocabularyTable(init, num_oov_buckets=1)


def make_ids(table):
    def ids(user, song, following):
        return {
            "user": tf.strings.to_hash_bucket_fast(user, USER_BUCKETS),
            "song": table.lookup(song),
        }, table.lookup(following)
    return ids


def plays(pattern, table):
    spec = {k: tf.io.FixedLenFeature([], tf.string) for k in ("user", "song", "next")}

    def parse(records):
        ex = tf.io.parse_example(records, spec)
        return ex["user"], ex["song"], ex["next"]

    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(1024).map(parse, num_parallel_calls=tf.data.AUTOTUNE).unbatch()
    ds = ds.shuffle(1_000_000).repeat()
    ds = ds.map(make_ids(table), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(FLAGS.batch_size).prefetch(tf.data.AUTOTUNE)


def main(_):
    table = song_table(FLAGS.songs)
    songs = int(table.size().numpy())
    user, song = keras.Input((), name="user", dtype="int64"), keras.Input((), name="song", dtype="int64")
    x = keras.layers.Concatenate()([
        keras.layers.Embedding(USER_BUCKETS, 32)(user),
        keras.layers.Embedding(songs, 64)(song),
    ])
    x = keras.layers.Dense(256, activation="relu")(x)
    model = keras.Model({"user": user, "song": song}, keras.layers.Dense(songs)(x))
    model.compile("adagrad", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(plays(FLAGS.plays, table), steps_per_epoch=25_000, epochs=4)


if __name__ == "__main__":
    app.run(main)
