"""EuroSAT / RESISC-45 classification, pipeline described by a stage list (hydra)."""
import hydra
from omegaconf import DictConfig
import tensorflow as tf
import tensorflow_datasets as tfds

STAGES = {}


def stage(fn):
    STAGES[fn.__name__] = fn
    return fn


@stage
def cache(ds, cfg):
    return ds.cache()


@stage
def decode(ds, cfg):
    def fn(ex):
        img = tf.io.decode_image(ex['image'], channels=3, expand_animations=False)
        img = tf.image.resize(img, [cfg.size, cfg.size], method='lanczos5',
                              antialias=True)
        img = tf.image.adjust_gamma(tf.clip_by_value(img / 255.0, 0.0, 1.0), 0.8)
        return img, ex['label']
    return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


@stage
def flips(ds, cfg):
    def fn(img, label):
        return tf.image.random_flip_up_down(
            tf.image.random_flip_left_right(img)), label
    return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


@stage
def shuffle(ds, cfg):
    return ds.shuffle(cfg.shuffle_buffer)


@stage
def batch(ds, cfg):
    return ds.batch(cfg.batch_size).prefetch(tf.data.AUTOTUNE)


TRAIN_STAGES = ['cache', 'decode', 'shuffle', 'flips', 'batch']


def build(cfg):
    ds = tfds.load('resisc45', split='train[:80%]',
                   decoders={'image': tfds.decode.SkipDecoding()})
    for name in TRAIN_STAGES:
        ds = STAGES[name](ds, cfg)
    return ds


@hydra.main(config_path='conf', config_name='resisc', version_base=None)
def main(cfg: DictConfig):
    model = tf.keras.applications.DenseNet121(
        weights=None, classes=45, input_shape=(cfg.size, cfg.size, 3))
    model.compile(tf.keras.optimizers.Adam(cfg.lr),
                  'sparse_categorical_crossentropy', metrics=['accuracy'])
    model.fit(build(cfg), epochs=cfg.epochs)


if __name__ == '__main__':
    main()
