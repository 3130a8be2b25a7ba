import tensorflow as tf

LOGS = "/logs/segmenter"
WARM, LAST = 20, 60
prof = tf.profiler.experimental


def load(name):
    image = tf.io.decode_jpeg(tf.io.read_file("/data/ade/images/" + name + ".jpg"), channels=3)
    mask = tf.io.decode_png(tf.io.read_file("/data/ade/masks/" + name + ".png"), channels=1)
    both = tf.concat([tf.cast(tf.image.resize(image, (288, 288)), tf.uint8),
                      tf.image.resize(mask, (288, 288), method="nearest")], axis=-1)
    both = tf.image.random_crop(both, (256, 256, 4))
    return {"image": tf.cast(both[..., :3], tf.float32) / 255.0, "mask": tf.cast(both[..., 3], tf.int32)}


names = tf.data.TextLineDataset("/data/ade/train.txt").shuffle(25_000)
dataset = names.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(32, drop_remainder=True)
dataset = dataset.prefetch(tf.data.AUTOTUNE)

base = tf.keras.applications.MobileNetV2((256, 256, 3), include_top=False, weights=None)
net = tf.keras.Sequential([base, tf.keras.layers.Conv2D(151, 1), tf.keras.layers.Resizing(256, 256)])
optimizer = tf.keras.optimizers.SGD(0.01, momentum=0.9)
optimizer.build(net.trainable_variables)


@tf.function
def forward_backward(batch):
    with tf.GradientTape() as tape:
        logits = net(batch["image"], training=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(batch["mask"], logits))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


step = 0
for epoch in range(120):
    batches = iter(dataset)
    while (batch := next(batches, None)) is not None:
        if step == WARM:
            prof.start(LOGS)
        with prof.Trace("segment", step_num=step, _r=1):
            loss = forward_backward(batch)
        if (step := step + 1) == LAST:
            prof.stop()
    print("epoch", epoch, float(loss))
