"""Conformer-CTC acoustic model on LibriSpeech 960h."""
import functools
import tensorflow as tf


def hparams():
    return dict(sr=16000, n_mels=80, frame=400, hop=160, batch=32,
                max_frames=1600, max_chars=400, vocab=32)


def log_mel(audio, hp, matrix):
    spec = tf.abs(tf.signal.stft(audio, hp['frame'], hp['hop'], 512)) ** 2
    return tf.math.log(tf.matmul(spec, matrix) + 1e-6)


def featurize(raw, hp, matrix):
    ex = tf.io.parse_single_example(raw, {
        'wav': tf.io.FixedLenFeature([], tf.string),
        'chars': tf.io.VarLenFeature(tf.int64)})
    audio, _ = tf.audio.decode_wav(ex['wav'], desired_channels=1)
    feats = log_mel(audio[:, 0], hp, matrix)[:hp['max_frames']]
    return feats, tf.sparse.to_dense(ex['chars'])[:hp['max_chars']]


def reproducible_options():
    o = tf.data.Options()
    o.deterministic = True
    o.autotune.enabled = False
    o.experimental_optimization.map_parallelization = False
    return o


def librispeech(pattern, hp):
    matrix = tf.signal.linear_to_mel_weight_matrix(
        hp['n_mels'], 257, hp['sr'], 20.0, 8000.0)
    fn = functools.partial(featurize, hp=hp, matrix=matrix)
    files = tf.data.Dataset.list_files(pattern, seed=17)
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=8)
    ds = ds.shuffle(5000, seed=17)
    ds = ds.map(fn)
    ds = ds.padded_batch(hp['batch'],
                         ([hp['max_frames'], hp['n_mels']], [hp['max_chars']]),
                         drop_remainder=True)
    ds = ds.prefetch(4)
    return ds.with_options(reproducible_options())


def acoustic_model(hp):
    inp = tf.keras.Input((hp['max_frames'], hp['n_mels']))
    x = tf.keras.layers.Conv1D(256, 5, strides=4, padding='same')(inp)
    for _ in range(8):
        a = tf.keras.layers.MultiHeadAttention(4, 64)(x, x)
        x = tf.keras.layers.LayerNormalization()(x + a)
        c = tf.keras.layers.SeparableConv1D(256, 15, padding='same')(x)
        x = tf.keras.layers.LayerNormalization()(x + c)
    return tf.keras.Model(inp, tf.keras.layers.Dense(hp['vocab'])(x))


def ctc(y_true, y_pred):
    n = tf.shape(y_true)[0]
    frames = tf.fill([n], tf.shape(y_pred)[1])
    chars = tf.math.count_nonzero(y_true, axis=1, dtype=tf.int32)
    return tf.nn.ctc_loss(tf.cast(y_true, tf.int32), y_pred, chars, frames,
                          logits_time_major=False)


if __name__ == '__main__':
    hp = hparams()
    model = acoustic_model(hp)
    model.compile(tf.keras.optimizers.Adam(3e-4), loss=ctc)
    model.fit(librispeech('/data/librispeech/train-960-*.tfrecord', hp),
              epochs=60)
