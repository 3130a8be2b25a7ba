import keras
import tensorflow as tf

CONFIG = {
    "train_dir": "/data/birds/train",
    "val_dir": "/data/birds/val",
    "size": 260,
    "batch_size": 32,
    "classes": 525,
}
rescale = keras.layers.Rescaling(1.0 / 255)


def prepared(directory, shuffle):
    ds = keras.utils.image_dataset_from_directory(
        directory, shuffle=shuffle, image_size=(CONFIG["size"],) * 2,
        batch_size=CONFIG["batch_size"])
    ds = ds.map(lambda x, y: (rescale(x), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build_model():
    backbone = keras.applications.EfficientNetV2B2(
        include_top=False, weights="imagenet", pooling="avg",
        input_shape=(CONFIG["size"], CONFIG["size"], 3))
    backbone.trainable = False
    inputs = keras.Input((CONFIG["size"], CONFIG["size"], 3))
    x = backbone(inputs, training=False)
    x = keras.layers.Dropout(0.3)(x)
    return keras.Model(inputs, keras.layers.Dense(CONFIG["classes"], activation="softmax")(x))


def main():
    model = build_model()
    model.compile(keras.optimizers.Adam(1e-3), "sparse_categorical_crossentropy",
                  metrics=["accuracy"])
    model.fit(prepared(CONFIG["train_dir"], True),
              validation_data=prepared(CONFIG["val_dir"], False), epochs=10)


if __name__ == "__main__":
    main()
