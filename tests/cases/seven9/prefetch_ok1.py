"""Keyword spotting on Speech Commands."""
import os
import tensorflow as tf

SR = 16000
WORDS = tf.constant(['yes', 'no', 'up', 'down', 'left', 'right', 'on', 'off',
                     'stop', 'go'])


def load_clip(path):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, SR)
    word = tf.strings.split(path, os.sep)[-2]
    label = tf.argmax(tf.cast(tf.equal(WORDS, word), tf.int32))
    return tf.squeeze(audio, -1), label


def spectrogram(audio, label):
    audio += tf.random.normal(tf.shape(audio), stddev=0.005)
    stft = tf.signal.stft(audio, 400, 160)
    return tf.math.log(tf.abs(stft) + 1e-6)[..., None], label


def finalize(batch_size):
    """Returns a transformation for `Dataset.apply`."""
    def _apply(ds):
        ds = ds.batch(batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)
    return _apply


def build(root, subset, batch_size=256):
    ds = tf.data.Dataset.list_files(f'{root}/{subset}/*/*.wav')
    ds = ds.map(load_clip, num_parallel_calls=tf.data.AUTOTUNE).cache()
    if subset == 'train':
        ds = ds.shuffle(20000)
    ds = ds.map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.apply(finalize(batch_size))


def cnn():
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 3, activation='relu',
                               input_shape=(98, 257, 1)),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(128, 3, activation='relu'),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10),
    ])


if __name__ == '__main__':
    model = cnn()
    model.compile(
        'adam',
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=['accuracy'])
    root = os.environ.get('SPEECH_COMMANDS', '/data/speech_commands_v2')
    model.fit(build(root, 'train'), validation_data=build(root, 'val'),
              epochs=40)
