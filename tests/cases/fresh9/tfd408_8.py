import tensorflow as tf
from tensorflow import keras

OPTIONS = {
    "labels": "inferred",
    "label_mode": "categorical",
    "image_size": (299, 299),
    "batch_size": 48,
    "shuffle": False,
}
ROOT = "/data/histology"


def datasets():
    for part in ("train", "val", "test"):
        ds = keras.utils.image_dataset_from_directory(f"{ROOT}/{part}", **OPTIONS)
        yield part, ds.prefetch(tf.data.AUTOTUNE)


def build_model(classes=9):
    inputs = keras.Input((299, 299, 3))
    x = keras.applications.inception_v3.preprocess_input(inputs)
    base = keras.applications.InceptionV3(include_top=False, pooling="avg")
    x = base(x)
    x = keras.layers.Dropout(0.4)(x)
    return keras.Model(inputs, keras.layers.Dense(classes, activation="softmax")(x))


def main():
    parts = dict(datasets())
    model = build_model()
    model.compile(
        optimizer=keras.optimizers.RMSprop(1e-4),
        loss="categorical_crossentropy",
        metrics=["accuracy"])
    model.fit(
        parts["train"],
        validation_data=parts["val"],
        epochs=35,
        callbacks=[keras.callbacks.ReduceLROnPlateau(patience=2)])
    # the order matters here: predictions are matched to file names
    predictions = model.predict(parts["test"])
    print(predictions.shape)


if __name__ == "__main__":
    main()
