"""Bird call classification (BirdCLEF), Kaggle script."""
import glob
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
SR = 32000
SECONDS = 5
N_FFT = 2048
HOP = 512
N_MELS = 128
EPOCHS = 50
MEL = tf.signal.linear_to_mel_weight_matrix(
    N_MELS, N_FFT // 2 + 1, SR, 50.0, 14000.0)

TRAIN_FILES = glob.glob('/kaggle/input/birdclef-tfrecords/train*.tfrec')


def parse_example(serialized):
    ex = tf.io.parse_single_example(serialized, {
        'audio': tf.io.FixedLenFeature([], tf.string),
        'target': tf.io.FixedLenFeature([], tf.int64)})
    audio = tf.io.decode_raw(ex['audio'], tf.int16)
    audio = tf.reshape(audio, [SR * SECONDS])
    return audio, tf.one_hot(ex['target'], 264)


def audio_to_mel(audio, target):
    audio = tf.cast(audio, tf.float32) / 32768.0
    spec = tf.abs(tf.signal.stft(audio, N_FFT, HOP, pad_end=True)) ** 2.0
    mel = tf.matmul(spec, MEL)
    db = 10.0 * tf.math.log(tf.maximum(mel, 1e-10)) / tf.math.log(10.0)
    db = tf.maximum(db, tf.reduce_max(db) - 80.0)
    img = (db - tf.reduce_min(db)) / (tf.reduce_max(db) - tf.reduce_min(db) + 1e-6)
    return tf.image.resize(img[..., None], (256, 128)), target


def get_training_dataset(files):
    return (tf.data.TFRecordDataset(files, num_parallel_reads=AUTO)
            .map(parse_example, num_parallel_calls=AUTO)
            .cache()
            .map(audio_to_mel, num_parallel_calls=AUTO)
            .shuffle(2048)
            .batch(128)
            .prefetch(AUTO))


def build():
    inp = tf.keras.Input((256, 128, 1))
    x = tf.keras.layers.Concatenate()([inp, inp, inp])
    x = tf.keras.applications.EfficientNetV2S(
        include_top=False, weights='imagenet', pooling='avg',
        include_preprocessing=False)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(264, 'softmax')(x))


train_ds = get_training_dataset(TRAIN_FILES)
model = build()
model.compile('adam', 'categorical_crossentropy', metrics=['accuracy'])
history = model.fit(train_ds, epochs=EPOCHS)
model.save('birdclef.keras')
