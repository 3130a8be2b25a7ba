"""Self-supervised two-view pretraining input (SimCLR style)."""
import functools

import tensorflow as tf

FEATURES = {"image/encoded": tf.io.FixedLenFeature([], tf.string)}


def random_view(image, size):
    box_begin, box_size, _ = tf.image.sample_distorted_bounding_box(
        tf.shape(image), tf.zeros([1, 0, 4]), area_range=(0.2, 1.0),
        use_image_if_no_bounding_boxes=True)
    view = tf.slice(image, box_begin, box_size)
    view = tf.image.random_flip_left_right(view)
    view = tf.ensure_shape(tf.image.resize(view, (size, size)), (size, size, 3))
    view = view / 255.0
    view = tf.image.random_brightness(view, 0.3)
    return tf.clip_by_value(view, 0.0, 1.0)


def two_views(record, size):
    parsed = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_jpeg(parsed["image/encoded"], channels=3)
    return random_view(image, size), random_view(image, size)


def pretraining_input(pattern, size=160, batch=256):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(8192).repeat()
    ds = ds.map(functools.partial(two_views, size=size), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


encoder = tf.keras.applications.ResNet50V2(include_top=False, weights=None, pooling="avg",
                                           input_shape=(160, 160, 3))
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def step(a, b):
    with tf.GradientTape() as tape:
        za = tf.math.l2_normalize(encoder(a, training=True), 1)
        zb = tf.math.l2_normalize(encoder(b, training=True), 1)
        logits = tf.matmul(za, zb, transpose_b=True) / 0.1
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.range(tf.shape(a)[0]), logits=logits))
    grads = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(grads, encoder.trainable_variables))
    return loss


for i, (a, b) in enumerate(pretraining_input("/mnt/imagenet/train-*").take(100_000)):
    loss = step(a, b)
    if i % 500 == 0:
        tf.print(i, loss)
