"""Whole-slide-image patch classifier (Camelyon16), config driven transforms."""
import tensorflow as tf

TRANSFORMS = {}


def register(name):
    def deco(fn):
        TRANSFORMS[name] = fn
        return fn
    return deco


@register('decode')
def decode(path, label):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    img.set_shape([512, 512, 3])
    return img, label


@register('resize')
def resize(img, label):
    return tf.image.resize(img, (299, 299)), label


@register('stain_jitter')
def stain_jitter(img, label):
    img = tf.image.random_hue(img / 255.0, 0.04)
    img = tf.image.random_saturation(img, 0.75, 1.25)
    return img, label


@register('flip')
def flip(img, label):
    img = tf.image.random_flip_left_right(img)
    return tf.image.random_flip_up_down(img), label


CFG = {
    'csv': '/data/camelyon16/patches_train.csv',
    'batch_size': 64,
    'transforms': ['decode', 'resize', 'stain_jitter', 'flip'],
    'epochs': 20,
}


def index(csv):
    rows = tf.data.experimental.CsvDataset(csv, [tf.string, tf.int32],
                                           header=True)
    return rows.shuffle(400000)


def apply_transforms(ds, names):
    for name in names:
        ds = ds.map(TRANSFORMS[name])
    return ds


def get_loader(cfg):
    ds = index(cfg['csv'])
    ds = apply_transforms(ds, cfg['transforms'])
    ds = ds.batch(cfg['batch_size'])
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    base = tf.keras.applications.InceptionV3(
        include_top=False, pooling='avg', input_shape=(299, 299, 3))
    out = tf.keras.layers.Dense(1, activation='sigmoid')(base.output)
    model = tf.keras.Model(base.input, out)
    model.compile(tf.keras.optimizers.RMSprop(1e-4), 'binary_crossentropy',
                  metrics=[tf.keras.metrics.AUC()])
    model.fit(get_loader(CFG), epochs=CFG['epochs'])


if __name__ == '__main__':
    main()
