"""Plant disease classifier; runtime options come last in main()."""
import argparse

import tensorflow as tf


def leaves(folder, side, batch):
    ds = tf.keras.utils.image_dataset_from_directory(folder, image_size=(side, side), batch_size=batch,
                                                     label_mode="int")
    n = len(ds.class_names)
    return ds.prefetch(tf.data.AUTOTUNE), n


class LeafModel(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.scale = tf.keras.layers.Rescaling(1 / 127.5, offset=-1)
        self.trunk = tf.keras.applications.ResNet101V2(include_top=False, weights=None, pooling="avg")
        self.drop = tf.keras.layers.Dropout(0.2)
        self.head = tf.keras.layers.Dense(classes, dtype="float32")

    def call(self, x, training=None):
        x = self.trunk(self.scale(x), training=training)
        return self.head(self.drop(x, training=training))


def configure_runtime(args):
    tf.keras.utils.set_random_seed(args.seed)
    if args.amp:
        tf.keras.mixed_precision.set_global_policy("mixed_float16")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", default="/data/plantvillage")
    parser.add_argument("--side", type=int, default=256)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--amp", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args()
    train, classes = leaves(args.folder, args.side, args.batch)
    model = LeafModel(classes)
    configure_runtime(args)
    model.compile(tf.keras.optimizers.Adam(1e-3),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(train, epochs=40)


if __name__ == "__main__":
    main()
