import tensorflow as tf
import tensorflow_datasets as tfds


def augment(sample):
    image = sample["image"]
    mask = sample["segmentation_mask"]
    if tf.random.uniform(()) > 0.5:
        image = tf.image.flip_left_right(image)
    if tf.random.uniform(()) > 0.5:
        mask = tf.image.flip_left_right(mask)
    return {"image": image, "segmentation_mask": mask}


def to_pair(sample):
    image = tf.image.resize(sample["image"], (128, 128)) / 255.0
    mask = tf.image.resize(sample["segmentation_mask"], (128, 128), method="nearest")
    return image, tf.cast(mask, tf.int32) - 1


def training_data(batch_size):
    pets = tfds.load("oxford_iiit_pet", split="train", shuffle_files=True).shuffle(800)
    pets = pets.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    pets = pets.map(to_pair, num_parallel_calls=tf.data.AUTOTUNE)
    return pets.batch(batch_size).prefetch(tf.data.AUTOTUNE)


segmenter = tf.keras.models.load_model("segmenter.keras")
segmenter.fit(training_data(32), epochs=25)
