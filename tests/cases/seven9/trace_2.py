"""Video classification on Kinetics-400 with an R(2+1)D network."""
import dataclasses
import tensorflow as tf
from tensorflow.keras import layers


@dataclasses.dataclass
class Config:
    pattern: str = 'gs://kinetics/train-*.tfrecord'
    frames: int = 16
    size: int = 112
    batch: int = 32
    epochs: int = 45
    logdir: str = 'gs://kinetics/logs'
    profile: bool = True


def decode_clip(record, cfg):
    _, seq = tf.io.parse_single_sequence_example(
        record, sequence_features={
            'image/encoded': tf.io.FixedLenSequenceFeature([], tf.string)})
    ctx, _ = tf.io.parse_single_sequence_example(
        record, context_features={
            'clip/label': tf.io.FixedLenFeature([], tf.int64)})
    start = tf.random.uniform([], 0, 200, tf.int32)
    jpgs = seq['image/encoded'][start:start + cfg.frames]
    clip = tf.map_fn(lambda j: tf.image.resize(
        tf.io.decode_jpeg(j, channels=3), (cfg.size, cfg.size)), jpgs,
        fn_output_signature=tf.float32)
    clip = tf.ensure_shape(clip, (cfg.frames, cfg.size, cfg.size, 3))
    return clip / 255.0, ctx['clip/label']


def kinetics(cfg):
    return (tf.data.Dataset.list_files(cfg.pattern)
            .interleave(tf.data.TFRecordDataset,
                        num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(1000)
            .map(lambda r: decode_clip(r, cfg),
                 num_parallel_calls=tf.data.AUTOTUNE)
            .batch(cfg.batch, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE))


def r2plus1d(cfg):
    x = inp = tf.keras.Input((cfg.frames, cfg.size, cfg.size, 3))
    for f in (64, 128, 256, 512):
        x = layers.Conv3D(f, (1, 3, 3), (1, 2, 2), 'same', activation='relu')(x)
        x = layers.Conv3D(f, (3, 1, 1), 1, 'same', activation='relu')(x)
    x = layers.GlobalAveragePooling3D()(x)
    return tf.keras.Model(inp, layers.Dense(400)(x))


def train(cfg):
    model = r2plus1d(cfg)
    opt = tf.keras.optimizers.SGD(0.01, momentum=0.9)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    ds = kinetics(cfg)
    for epoch in range(cfg.epochs):
        if cfg.profile and epoch == 1:
            tf.profiler.experimental.start(cfg.logdir)
        for step, (x, y) in enumerate(ds):
            with tf.profiler.experimental.Trace('train', step_num=step, _r=1):
                loss = train_step(x, y)
            if cfg.profile and epoch == 1 and step == 50:
                tf.profiler.experimental.stop()
        print(epoch, float(loss))


if __name__ == '__main__':
    train(Config())
