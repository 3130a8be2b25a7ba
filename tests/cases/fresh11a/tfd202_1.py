import functools

import albumentations as A
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def numpy_op(*dtypes):
    """Makes an op of a function on arrays."""
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*tensors):
            return tuple(tf.numpy_function(fn, tensors, dtypes))
        return wrapper
    return decorate


AUG = A.Compose([
    A.HorizontalFlip(p=0.5),
    A.RandomBrightnessContrast(p=0.3),
    A.ShiftScaleRotate(p=0.5),
])


@numpy_op(tf.uint8, tf.uint8)
def augment_pair(image, mask):
    out = AUG(image=image, mask=mask)
    return out["image"], out["mask"]


def read_pair(image_path, mask_path):
    image = tf.io.decode_jpeg(tf.io.read_file(image_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    return (tf.cast(tf.image.resize(image, [256, 256]), tf.uint8),
            tf.image.resize(mask, [256, 256], method="nearest"))


def fix_shape(image, mask):
    image = tf.ensure_shape(image, [256, 256, 3])
    mask = tf.ensure_shape(mask, [256, 256, 1])
    return tf.cast(image, tf.float32) / 255.0, mask


def pipeline(images, masks, batch_size=16):
    ds = tf.data.Dataset.from_tensor_slices((images, masks)).shuffle(len(images))
    ds = ds.map(read_pair, num_parallel_calls=AUTOTUNE)
    ds = ds.map(augment_pair, num_parallel_calls=AUTOTUNE)
    ds = ds.map(fix_shape, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size).prefetch(AUTOTUNE)


if __name__ == "__main__":
    images = sorted(tf.io.gfile.glob("/data/roads/images/*.jpg"))
    masks = sorted(tf.io.gfile.glob("/data/roads/masks/*.png"))
    model = tf.keras.models.load_model("unet_init.keras")
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(pipeline(images, masks), epochs=60)
