import tensorflow as tf

SIZE = (256, 256)
BUFFERS = {"shuffle": 1000, "prefetch": 4}


def files_and_labels(root):
    paths = sorted(tf.io.gfile.glob(f"{root}/*/*.jpg"))
    names = sorted({p.split("/")[-2] for p in paths})
    return paths, [names.index(p.split("/")[-2]) for p in paths], names


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, SIZE), label


def dataset(paths, labels):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(BUFFERS["shuffle"])
    return ds.batch(64).prefetch(BUFFERS["prefetch"])


paths, labels, names = files_and_labels("/data/inaturalist")
base = tf.keras.applications.EfficientNetV2B0(include_top=False, input_shape=SIZE + (3,))
base.trainable = False
inputs = tf.keras.Input(SIZE + (3,))
h = base(inputs, training=False)
h = tf.keras.layers.GlobalAveragePooling2D()(h)
outputs = tf.keras.layers.Dense(len(names), activation="softmax")(h)
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(dataset(paths, labels), epochs=10)
