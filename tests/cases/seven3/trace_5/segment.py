import tensorflow as tf
from tqdm import tqdm

import profiling


def parse(record):
    ex = tf.io.parse_single_example(record, {"image": tf.io.FixedLenFeature([], tf.string),
                                             "mask": tf.io.FixedLenFeature([], tf.string)})
    image = tf.ensure_shape(tf.io.decode_png(ex["image"], channels=3), (256, 256, 3))
    mask = tf.ensure_shape(tf.io.decode_png(ex["mask"], channels=1), (256, 256, 1))
    return image, mask


files = tf.data.Dataset.list_files("/data/lesions/train-*.tfrecord")
dataset = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.shuffle(2000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(16, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential(
    [tf.keras.Input((256, 256, 3)), tf.keras.layers.Rescaling(1 / 255.0)]
    + [tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu") for _ in range(4)]
    + [tf.keras.layers.Conv2D(2, 1)])
optimizer = tf.keras.optimizers.Adam(1e-4)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train(image, mask):
    with tf.GradientTape() as tape:
        loss = loss_fn(mask, model(image, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


step = 0
with profiling.session("/tmp/logs"):
    for epoch in range(3):
        bar = tqdm(dataset, desc=f"epoch {epoch}")
        for image, mask in bar:
            with profiling.step_annotation(step, name="segmentation"):
                loss = train(image, mask)
            bar.set_postfix(loss=float(loss))
            step += 1
