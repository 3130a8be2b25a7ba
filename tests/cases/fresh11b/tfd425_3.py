import keras
import tensorflow as tf


def load(root, subset):
    return keras.utils.text_dataset_from_directory(
        f"{root}/train", validation_split=0.2, subset=subset, seed=1, batch_size=256)


def configure(ds, vectorize, batch_size):
    # tokenise large blocks, train on small ones
    ds = ds.map(lambda text, y: (vectorize(text), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.rebatch(batch_size).prefetch(tf.data.AUTOTUNE)


def main(root="/data/aclImdb", batch_size=32):
    raw = {name: load(root, name) for name in ("training", "validation")}
    vectorize = keras.layers.TextVectorization(max_tokens=20_000, output_sequence_length=400)
    vectorize.adapt(raw["training"].map(lambda text, y: text, num_parallel_calls=tf.data.AUTOTUNE))
    data = {name: configure(ds, vectorize, batch_size) for name, ds in raw.items()}
    model = keras.Sequential([
        keras.layers.Embedding(20_000, 64), keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(data["training"], validation_data=data["validation"], epochs=10)


if __name__ == "__main__":
    main()
