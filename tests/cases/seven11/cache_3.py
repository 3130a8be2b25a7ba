import pandas as pd
import tensorflow as tf

CFG = {
    "csv": "/kaggle/input/aptos/train.csv",
    "img_dir": "/kaggle/input/aptos/train_images",
    "size": 256,
    "batch": 32,
    "epochs": 40,
    "folds": 5,
}


def frame_to_dataset(df, training):
    paths = CFG["img_dir"] + "/" + df["id_code"].to_numpy() + ".png"
    ds = tf.data.Dataset.from_tensor_slices((paths, df["diagnosis"].to_numpy("int32")))
    ds = ds.cache()
    return ds.shuffle(len(df)) if training else ds


def load_fundus(path, label):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    side = tf.reduce_min(tf.shape(img)[:2])
    img = tf.image.resize_with_crop_or_pad(img, side, side)
    img = tf.image.resize(img, (CFG["size"], CFG["size"]), antialias=True)
    return tf.cast(img, tf.uint8), label


def loaders(df, fold):
    parts = {"train": df[df.fold != fold], "valid": df[df.fold == fold]}
    return {
        name: frame_to_dataset(part, name == "train")
        .map(load_fundus, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(CFG["batch"])
        .prefetch(tf.data.AUTOTUNE)
        for name, part in parts.items()
    }


def get_model():
    inp = tf.keras.Input((CFG["size"], CFG["size"], 3), dtype="uint8")
    x = tf.keras.layers.Rescaling(1 / 255.0)(inp)
    x = tf.keras.layers.RandomFlip("horizontal_and_vertical")(x)
    x = tf.keras.applications.DenseNet121(include_top=False, weights=None, pooling="avg")(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(5, activation="softmax")(x))


def main():
    df = pd.read_csv(CFG["csv"])
    df["fold"] = df.sample(frac=1.0, random_state=1).reset_index().index % CFG["folds"]
    data = loaders(df, 0)
    model = get_model()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data["train"], validation_data=data["valid"], epochs=CFG["epochs"])


if __name__ == "__main__":
    main()
