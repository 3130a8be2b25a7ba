"""Document layout classification (RVL subset): returns (train, val)."""
import pandas as pd
import tensorflow as tf


def decode_page(path, label):
    page = tf.io.decode_png(tf.io.read_file(path), channels=1)
    page = tf.image.resize(page, [512, 384], antialias=True)
    return tf.cast(page, tf.uint8), label


def prepare(frame, *, batch, shuffle=False, memo=None):
    ds = tf.data.Dataset.from_tensor_slices((frame["png"].tolist(), frame["klass"].tolist()))
    if memo == "index":
        ds = ds.cache()
    if shuffle:
        ds = ds.shuffle(len(frame))
    ds = ds.map(decode_page, num_parallel_calls=tf.data.AUTOTUNE)
    if memo == "pages":
        ds = ds.cache()
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def make_splits(index_csv, batch=32):
    frame = pd.read_csv(index_csv)
    train = prepare(frame[frame.split == "train"], batch=batch, shuffle=True, memo="index")
    val = prepare(frame[frame.split == "val"], batch=batch, memo="pages")
    return train, val


def make_model(classes):
    inp = tf.keras.Input([512, 384, 1])
    x = tf.keras.layers.Rescaling(1 / 255.0)(inp)
    for filters in (32, 64, 128, 256):
        x = tf.keras.layers.SeparableConv2D(filters, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes, activation="softmax")(x))


def main():
    train, val = make_splits("/data/rvl_small/index.csv")  # 16k + 2k pages
    model = make_model(16)
    model.compile("nadam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=val, epochs=60)
    model.save("layout.keras")


if __name__ == "__main__":
    main()
