import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.image.resize(image, (128, 128)) / 255.0, label


def images(pattern, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    if training:
        ds = ds.repeat()
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(128, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


model = tf.keras.applications.MobileNetV3Small(input_shape=(128, 128, 3), weights=None, classes=40)
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


@tf.function
def eval_step(x, y):
    accuracy.update_state(y, model(x, training=False))


train_it = iter(images("/data/train/*/*.jpg", True))
val_ds = images("/data/val/*/*.jpg", False)
step = 0
for epoch in range(10):
    for _ in range(500):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            train_step(*next(train_it))
        step += 1
    accuracy.reset_state()
    for x, y in val_ds:
        eval_step(x, y)
    print(epoch, float(accuracy.result()))
