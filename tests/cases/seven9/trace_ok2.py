"""ECG arrhythmia classifier (PTB-XL) - profile one epoch of model.fit."""
import argparse
import tensorflow as tf

LEADS, SAMPLES, CLASSES = 12, 5000, 71


def parse(records):
    ex = tf.io.parse_example(records, {
        'ecg': tf.io.FixedLenFeature([SAMPLES, LEADS], tf.float32),
        'scp': tf.io.FixedLenFeature([CLASSES], tf.float32)})
    return ex['ecg'], ex['scp']


def ptbxl(pattern, batch):
    return (tf.data.Dataset.list_files(pattern)
            .interleave(tf.data.TFRecordDataset, cycle_length=8,
                        num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(8000)
            .batch(batch, drop_remainder=True)
            .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE))


def xresnet1d():
    L = tf.keras.layers
    x = inp = L.Input((SAMPLES, LEADS))
    x = L.Conv1D(64, 5, 2, 'same', activation='relu')(x)
    for f in (64, 128, 256, 512):
        y = L.Conv1D(f, 5, 2, 'same', use_bias=False)(x)
        y = L.ReLU()(L.BatchNormalization()(y))
        y = L.BatchNormalization()(L.Conv1D(f, 5, 1, 'same', use_bias=False)(y))
        x = L.ReLU()(L.Add()([y, L.Conv1D(f, 1, 2)(x)]))
    x = L.GlobalAveragePooling1D()(x)
    return tf.keras.Model(inp, L.Dense(CLASSES, activation='sigmoid')(x))


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--train', default='/data/ptbxl/train-*.tfrecord')
    p.add_argument('--val', default='/data/ptbxl/val-*.tfrecord')
    p.add_argument('--logdir', default='logs/ptbxl')
    p.add_argument('--epochs', type=int, default=50)
    p.add_argument('--profile', action='store_true')
    args = p.parse_args()

    model = xresnet1d()
    model.compile(tf.keras.optimizers.Adam(1e-3), 'binary_crossentropy',
                  metrics=[tf.keras.metrics.AUC(multi_label=True)])
    train, val = ptbxl(args.train, 128), ptbxl(args.val, 128)

    model.fit(train, epochs=1)  # warm-up, traces the functions
    if args.profile:
        tf.profiler.experimental.start(args.logdir)
        model.fit(train, epochs=1, steps_per_epoch=40)
        tf.profiler.experimental.stop()

    model.fit(train, validation_data=val, initial_epoch=1, epochs=args.epochs)
    model.save('ptbxl.keras')


if __name__ == '__main__':
    main()
