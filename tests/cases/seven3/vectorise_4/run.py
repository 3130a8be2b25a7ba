import keras
import tensorflow as tf

from preprocessing import Preprocessor, read_thumb, split_target

AUTOTUNE = tf.data.AUTOTUNE
CATEGORIES = open("/data/shop/categories.txt").read().split()


def input_fn(pattern, preprocess, batch_size=200, training=True):
    shards = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = shards.interleave(tf.data.TFRecordDataset, cycle_length=10, num_parallel_calls=AUTOTUNE)
    ds = ds.shuffle(10_000) if training else ds
    ds = ds.map(read_thumb, num_parallel_calls=AUTOTUNE)
    ds = ds.map(preprocess, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(batch_size)
    return ds.map(split_target, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def main():
    preprocess = Preprocessor(CATEGORIES)
    thumb = keras.Input((64, 64, 3), name="thumb")
    x = keras.layers.Conv2D(64, 3, activation="relu")(thumb)
    x = keras.layers.MaxPooling2D()(x)
    x = keras.layers.Conv2D(128, 3, activation="relu")(x)
    x = keras.layers.GlobalAveragePooling2D()(x)
    model = keras.Model({"thumb": thumb}, keras.layers.Dense(len(CATEGORIES) + 1, activation="softmax")(x))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(input_fn("/data/shop/train-*", preprocess), epochs=20,
              validation_data=input_fn("/data/shop/valid-*", preprocess, training=False))


main()
