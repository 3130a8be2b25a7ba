import albumentations as A
import tensorflow as tf

PIPE = A.Compose([
    A.HorizontalFlip(p=0.5),
    A.RandomBrightnessContrast(p=0.3),
    A.ShiftScaleRotate(p=0.5),
])


def _apply(image):
    return PIPE(image=image)["image"]


def augment(image, label):
    out = tf.numpy_function(func=_apply, inp=[image], Tout=tf.uint8)
    out.set_shape((256, 256, 3))
    return tf.cast(out, tf.float32), label
