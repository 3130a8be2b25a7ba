"""Urban sound tagging with heavy random augmentation after a cache."""
import argparse
import tensorflow as tf

SR = 22050
SAMPLES = SR * 4


def load(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, SAMPLES)
    return audio[:, 0], label


def augmented_spectrogram(audio, label):
    shift = tf.random.uniform([], -SR, SR, tf.int32)
    audio = tf.roll(audio, shift, 0)
    gain = tf.random.uniform([], 0.7, 1.3)
    audio = audio * gain + tf.random.normal([SAMPLES], stddev=0.004)
    spec = tf.abs(tf.signal.stft(audio, 1024, 256))
    spec = tf.math.log(spec + 1e-6)[..., None]
    t = tf.random.uniform([], 0, 280, tf.int32)
    mask = tf.logical_or(tf.range(tf.shape(spec)[0]) < t,
                         tf.range(tf.shape(spec)[0]) > t + 40)
    return spec * tf.cast(mask, tf.float32)[:, None, None], label


def train_ds(csv, batch_size):
    ds = tf.data.experimental.CsvDataset(csv, [tf.string, tf.int32], header=True)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache('/scratch/urbansound_train')
    ds = ds.shuffle(8000)
    ds = ds.map(augmented_spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def resnet_like():
    inp = tf.keras.Input((341, 513, 1))
    x = tf.keras.layers.Conv2D(32, 7, 2, 'same', activation='relu')(inp)
    for f in (64, 128, 256):
        x = tf.keras.layers.Conv2D(f, 3, 2, 'same', activation='relu')(x)
        x = tf.keras.layers.BatchNormalization()(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(10)(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--csv', default='/data/urbansound8k/train.csv')
    ap.add_argument('--batch', type=int, default=64)
    a = ap.parse_args()
    model = resnet_like()
    model.compile('adam', tf.keras.losses.SparseCategoricalCrossentropy(
        from_logits=True), metrics=['accuracy'])
    model.fit(train_ds(a.csv, a.batch), epochs=120)


if __name__ == '__main__':
    main()
