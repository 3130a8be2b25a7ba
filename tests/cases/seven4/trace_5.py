import tensorflow as tf
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE
SIZES = {"labelled": 64, "unlabelled": 448}


def weak(image):
    image = tf.image.random_flip_left_right(tf.pad(image, [[4, 4], [4, 4], [0, 0]], "REFLECT"))
    return tf.image.random_crop(image, (32, 32, 3))


def strong(image):
    image = tf.image.random_contrast(tf.image.random_hue(weak(image), 0.2), 0.3, 1.8)
    return tf.image.random_saturation(image, 0.3, 1.8)


def views(ex):
    return {"weak": weak(ex["image"]), "strong": strong(ex["image"]), "label": ex["label"]}


def stream(name):
    split = {"labelled": "train[:8%]", "unlabelled": "train[8%:]"}[name]
    ds = tfds.load("cifar10", split=split).cache().shuffle(20_000).repeat()
    ds = ds.map(views, num_parallel_calls=AUTOTUNE).batch(SIZES[name], drop_remainder=True)
    return ds.prefetch(AUTOTUNE)


scale = tf.keras.layers.Rescaling(1 / 127.5, -1)
model = tf.keras.Sequential([scale, tf.keras.applications.ResNet50V2(
    weights=None, input_shape=(32, 32, 3), classes=10, classifier_activation=None)])
optimizer = tf.keras.optimizers.SGD(0.03, momentum=0.9, nesterov=True)
xent = tf.nn.sparse_softmax_cross_entropy_with_logits


@tf.function
def fixmatch(batches):
    known, unknown = batches["labelled"], batches["unlabelled"]
    guess = tf.nn.softmax(model(unknown["weak"], training=True))
    sure = tf.cast(tf.reduce_max(guess, -1) > 0.95, tf.float32)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(xent(known["label"], model(known["weak"], training=True)))
        loss += tf.reduce_mean(sure * xent(tf.argmax(guess, -1), model(unknown["strong"], training=True)))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


iterators = {name: iter(stream(name)) for name in SIZES}
tf.profiler.experimental.start("/tmp/fixmatch", options=tf.profiler.experimental.ProfilerOptions(host_tracer_level=3))
for step in range(300):
    batches = {name: next(it) for name, it in iterators.items()}
    with tf.profiler.experimental.Trace("fixmatch", step_num=step, _r=1):
        loss = fixmatch(batches)
tf.profiler.experimental.stop()
for step in range(300, 1 << 20):
    loss = fixmatch({name: next(it) for name, it in iterators.items()})
    if step % 1024 == 0:
        print(step, float(loss))
