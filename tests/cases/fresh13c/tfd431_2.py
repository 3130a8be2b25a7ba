"""Fine-tuning from a registry of Keras backbones under MirroredStrategy."""
import argparse

import tensorflow as tf

BACKBONES = {"b0": (tf.keras.applications.EfficientNetB0, 224),
             "b3": (tf.keras.applications.EfficientNetB3, 300)}


def make_splits(folder, side, batch):
    common = dict(image_size=(side, side), batch_size=batch, validation_split=0.1, seed=41)
    train = tf.keras.utils.image_dataset_from_directory(folder, subset="training", **common)
    valid = tf.keras.utils.image_dataset_from_directory(folder, subset="validation", shuffle=False, **common)
    classes = len(train.class_names)

    def normalise(images, labels):
        return tf.cast(images, tf.float32) / 255.0, labels

    def finish(ds):
        return ds.map(normalise, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    return finish(train), finish(valid), classes


def make_model(key, classes):
    factory, side = BACKBONES[key]
    backbone = factory(include_top=False, weights="imagenet", input_shape=(side, side, 3), pooling="avg")
    backbone.trainable = False
    inp = tf.keras.Input((side, side, 3))
    x = backbone(inp, training=False)
    x = tf.keras.layers.Dropout(0.3)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes, activation="softmax")(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--backbone", choices=BACKBONES, default="b0")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()
    strategy = tf.distribute.MirroredStrategy()
    train, valid, classes = make_splits(args.folder, BACKBONES[args.backbone][1],
                                        args.batch * strategy.num_replicas_in_sync)
    with strategy.scope():
        model = make_model(args.backbone, classes)
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=args.epochs)


if __name__ == "__main__":
    main()
