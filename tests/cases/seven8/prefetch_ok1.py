"""Semantic segmentation (Cityscapes, DeepLab head) with Keras."""
import argparse

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
CLASSES = 19


def read_pair(img_path, mask_path):
    img = tf.io.decode_png(tf.io.read_file(img_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    return img, mask


def crop(img, mask):
    both = tf.concat([img, mask], axis=-1)
    both = tf.image.random_crop(both, [512, 1024, 4])
    both = tf.image.random_flip_left_right(both)
    return tf.cast(both[..., :3], tf.float32) / 127.5 - 1.0, both[..., 3]


def finalize(batch_size):
    def _apply(ds):
        ds = ds.batch(batch_size, drop_remainder=True)
        return ds.prefetch(AUTOTUNE)
    return _apply


def cityscapes(root, split, batch_size):
    images = sorted(tf.io.gfile.glob(f"{root}/leftImg8bit/{split}/*/*.png"))
    masks = sorted(tf.io.gfile.glob(f"{root}/gtFine/{split}/*/*labelTrainIds.png"))
    ds = tf.data.Dataset.from_tensor_slices((images, masks))
    if split == "train":
        ds = ds.shuffle(len(images))
    return (ds
            .map(read_pair, num_parallel_calls=AUTOTUNE)
            .map(crop, num_parallel_calls=AUTOTUNE)
            .apply(finalize(batch_size)))


def deeplab():
    base = tf.keras.applications.ResNet50(include_top=False, input_shape=(512, 1024, 3))
    x = base.get_layer("conv4_block6_out").output
    branches = [tf.keras.layers.Conv2D(256, 3, padding="same", dilation_rate=r,
                                       activation="relu")(x) for r in (1, 6, 12, 18)]
    x = tf.keras.layers.Concatenate()(branches)
    x = tf.keras.layers.Conv2D(CLASSES, 1)(x)
    x = tf.keras.layers.UpSampling2D(16, interpolation="bilinear")(x)
    return tf.keras.Model(base.input, x)


def masked_ce(y_true, y_pred):
    valid = tf.cast(tf.not_equal(y_true, 255), tf.float32)
    y = tf.where(tf.equal(y_true, 255), tf.zeros_like(y_true), y_true)
    ce = tf.keras.losses.sparse_categorical_crossentropy(y, y_pred, from_logits=True)
    return tf.reduce_sum(ce * valid) / (tf.reduce_sum(valid) + 1.0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="/data/cityscapes")
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=200)
    args = parser.parse_args()
    model = deeplab()
    model.compile(tf.keras.optimizers.SGD(0.01, 0.9), loss=masked_ce)
    model.fit(cityscapes(args.root, "train", args.batch_size),
              validation_data=cityscapes(args.root, "val", args.batch_size),
              epochs=args.epochs)


if __name__ == "__main__":
    main()
