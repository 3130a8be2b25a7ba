import tensorflow as tf
import keras


def shuffle_stage(ds):
    return ds.shuffle(5000)


def parse_stage(ds):
    def parse(line):
        cols = tf.io.decode_csv(line, [[0.0]] * 20 + [[0]])
        return tf.stack(cols[:-1], axis=-1), cols[-1]

    return ds.batch(512).map(parse, num_parallel_calls=tf.data.AUTOTUNE)


def repeat_stage(ds):
    return ds.repeat()


STAGES = [shuffle_stage, repeat_stage, parse_stage]

files = tf.io.gfile.glob("/logs/clicks/*.csv")
ds = tf.data.TextLineDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
for stage in STAGES:
    ds = stage(ds)

model = keras.Sequential([keras.layers.Dense(128, activation="relu"),
                          keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
model.fit(ds, steps_per_epoch=5000, epochs=8)
