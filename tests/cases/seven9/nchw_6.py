"""RetinaNet-ish ship detector on xView/HRSC chips; layers bound by partial."""
import functools
import tensorflow as tf

HPARAMS = {
    'pattern': '/data/xview/chips-*.tfrecord',
    'image_size': 640,
    'batch_size': 16,
    'data_format': 'channels_first',
    'anchors': 9,
    'classes': 60,
    'lr': 0.01,
    'steps': 90000,
}


def decode(record, p):
    out = p['image_size'] // 8
    ex = tf.io.parse_single_example(record, {
        'image': tf.io.FixedLenFeature([], tf.string),
        'cls': tf.io.FixedLenFeature([], tf.string),
        'box': tf.io.FixedLenFeature([], tf.string)})
    img = tf.io.decode_jpeg(ex['image'], channels=3)
    img = tf.image.resize(img, [p['image_size']] * 2) / 127.5 - 1.0
    cls = tf.reshape(tf.io.decode_raw(ex['cls'], tf.uint8), (p['anchors'], out, out))
    box = tf.reshape(tf.io.decode_raw(ex['box'], tf.float32),
                     (p['anchors'] * 4, out, out))
    return img, tf.cast(cls, tf.int32), box


def nchw(img, cls, box):
    return tf.einsum('bhwc->bchw', img), cls, box


def dataset(p):
    ds = tf.data.Dataset.list_files(p['pattern'])
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8,
                       num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(1024).repeat()
    ds = ds.map(functools.partial(decode, p=p), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(p['batch_size'], drop_remainder=True)
    if p['data_format'] == 'channels_first':
        ds = ds.map(nchw, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def detector(p):
    conv = functools.partial(tf.keras.layers.Conv2D, padding='same',
                             data_format=p['data_format'])
    axis = 1 if p['data_format'] == 'channels_first' else -1
    norm = functools.partial(tf.keras.layers.BatchNormalization, axis=axis)
    relu = tf.keras.layers.ReLU()
    shape = [p['image_size']] * 2
    shape.insert(0 if axis == 1 else 2, 3)
    x = inp = tf.keras.Input(shape)
    for f in (64, 128, 256):
        x = relu(norm()(conv(f, 3, strides=2)(x)))
        x = relu(norm()(conv(f, 3)(x)))
    heads = []
    for n in (p['anchors'] * p['classes'], p['anchors'] * 4):
        h = x
        for _ in range(4):
            h = relu(conv(256, 3)(h))
        heads.append(conv(n, 3)(h))
    return tf.keras.Model(inp, heads)


def train(p):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = detector(p)
        opt = tf.keras.optimizers.SGD(p['lr'], momentum=0.9)
    batches = iter(strategy.experimental_distribute_dataset(dataset(p)))

    def replica(img, cls, box):
        with tf.GradientTape() as tape:
            c, b = model(img, training=True)
            side = c.shape[-1]
            c = tf.reshape(c, (-1, p['anchors'], p['classes'], side, side))
            c = tf.transpose(c, (0, 1, 3, 4, 2))
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(cls, c))
            loss += tf.reduce_mean(tf.abs(box - b))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    @tf.function
    def step(batch):
        return strategy.reduce('MEAN', strategy.run(replica, batch), axis=None)

    for i in range(p['steps']):
        loss = step(next(batches))
        if i % 100 == 0:
            print(i, float(loss))


if __name__ == '__main__':
    train(HPARAMS)
