"""SimCLR on satellite tiles. Each view has a seed of its own, made from the number of the element."""
import glob

import tensorflow as tf

TILE = 64
BATCH_SIZE = 512
TEMPERATURE = 0.1
EPOCHS = 100


def one_view(image, seed):
    seeds = tf.random.experimental.stateless_split(seed, 4)
    view = tf.image.stateless_random_crop(image, [TILE, TILE, 3], seeds[0])
    view = tf.image.stateless_random_flip_left_right(view, seeds[1])
    view = tf.image.stateless_random_brightness(view, 0.4, seeds[2])
    return tf.image.stateless_random_contrast(view, 0.6, 1.4, seeds[3])


def two_views(path, number):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.resize(image, [TILE + 16, TILE + 16])
    return one_view(image, tf.stack([number, 0])), one_view(image, tf.stack([number, 1]))


files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob("data/tiles/**/*.png", recursive=True)))
counter = tf.data.experimental.Counter()
dataset = tf.data.Dataset.zip((files, counter))
dataset = dataset.map(two_views)
dataset = dataset.shuffle(4096)
dataset = dataset.batch(BATCH_SIZE, drop_remainder=True)

encoder = tf.keras.Sequential([
    tf.keras.applications.ResNet50(include_top=False, weights=None, pooling="avg", input_shape=(TILE, TILE, 3)),
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(128),
])
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def train_step(first, second):
    labels = tf.range(tf.shape(first)[0])
    with tf.GradientTape() as tape:
        a = tf.math.l2_normalize(encoder(first, training=True), axis=1)
        b = tf.math.l2_normalize(encoder(second, training=True), axis=1)
        similarity = tf.matmul(a, b, transpose_b=True) / TEMPERATURE
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, similarity)
        loss += tf.nn.sparse_softmax_cross_entropy_with_logits(labels, tf.transpose(similarity))
        loss = tf.reduce_mean(loss) / 2.0
    gradients = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(gradients, encoder.trainable_variables))
    return loss


summary = tf.summary.create_file_writer("runs/simclr")
step = 0
for epoch in range(EPOCHS):
    for first, second in dataset:
        loss = train_step(first, second)
        step += 1
        if step % 20 == 0:
            with summary.as_default():
                tf.summary.scalar("contrastive_loss", loss, step=step)
    encoder.save_weights("simclr/encoder")
