import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.applications import EfficientNetB0

IMG_SIZE = 224
BATCH = 32


def get_splits(root):
    common = dict(
        directory=root, image_size=(IMG_SIZE, IMG_SIZE), batch_size=BATCH, validation_split=0.2, seed=123
    )
    train = keras.utils.image_dataset_from_directory(subset="training", **common)
    valid = keras.utils.image_dataset_from_directory(subset="validation", **common)
    return train, valid, train.class_names


def normalise(images, labels):
    return images / 255.0, labels


def prepare(ds, augmenter=None):
    ds = ds.map(normalise, num_parallel_calls=tf.data.AUTOTUNE)
    if augmenter is not None:
        ds = ds.map(lambda x, y: (augmenter(x, training=True), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build(num_classes):
    inputs = keras.Input((IMG_SIZE, IMG_SIZE, 3))
    backbone = EfficientNetB0(include_top=False, input_tensor=inputs, weights="imagenet")
    backbone.trainable = False
    x = keras.layers.GlobalAveragePooling2D()(backbone.output)
    x = keras.layers.Dropout(0.2)(x)
    outputs = keras.layers.Dense(num_classes, activation="softmax")(x)
    return keras.Model(inputs, outputs)


def main():
    train, valid, names = get_splits("dogs/Images")
    augmenter = keras.Sequential([keras.layers.RandomFlip("horizontal"), keras.layers.RandomRotation(0.1)])
    train = prepare(train, augmenter)
    valid = prepare(valid)

    model = build(len(names))
    model.compile(
        optimizer=keras.optimizers.Adam(1e-2), loss="sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    model.fit(
        train,
        validation_data=valid,
        epochs=25,
        callbacks=[keras.callbacks.EarlyStopping(patience=3, restore_best_weights=True)],
    )
    model.save("dogs.keras")


if __name__ == "__main__":
    main()
