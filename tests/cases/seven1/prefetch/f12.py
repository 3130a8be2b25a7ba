import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
PER_REPLICA = 64
GLOBAL_BATCH = PER_REPLICA * strategy.num_replicas_in_sync


def decode(path, label):
    x = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
    x = tf.image.resize_with_crop_or_pad(x, 224, 224)
    return tf.cast(x, tf.float32), label


def read_index(csv):
    lines = tf.io.gfile.GFile(csv).read().splitlines()
    pairs = [line.split(",") for line in lines]
    return [p[0] for p in pairs], [int(p[1]) for p in pairs]


paths, labels = read_index("/data/imagenet/train.csv")
input_ds = tf.data.Dataset.from_tensor_slices((paths, labels))
input_ds = input_ds.shuffle(len(paths))
input_ds = input_ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
input_ds = input_ds.batch(GLOBAL_BATCH, drop_remainder=True).repeat()

with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), "sparse_categorical_crossentropy")

model.fit(input_ds, steps_per_epoch=len(paths) // GLOBAL_BATCH, epochs=90)
