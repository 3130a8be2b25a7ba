import keras
import tensorflow as tf

SIDE = 224
FILES = tf.io.gfile.glob("/nfs/imagewoof/train/*/*.JPEG")
BREEDS = sorted({f.split("/")[-2] for f in FILES})
LABELS = [BREEDS.index(f.split("/")[-2]) for f in FILES]


def fetch(path, label):
    return tf.io.read_file(path), label


def random_window(data, label):
    box_begin, box_size, _ = tf.image.sample_distorted_bounding_box(
        tf.io.extract_jpeg_shape(data),
        bounding_boxes=tf.zeros((1, 0, 4)),
        area_range=(0.08, 1.0),
        aspect_ratio_range=(3 / 4, 4 / 3),
        use_image_if_no_bounding_boxes=True)
    y, x, _ = tf.unstack(box_begin)
    height, width, _ = tf.unstack(box_size)
    image = tf.io.decode_and_crop_jpeg(data, tf.stack([y, x, height, width]), channels=3)
    image = tf.image.resize(image, (SIDE, SIDE))
    return tf.image.random_flip_left_right(image), label


# 12 GB of files over the network, once; the windows are new each epoch.
train = tf.data.Dataset.from_tensor_slices((FILES, LABELS))
train = train.map(fetch, num_parallel_calls=32)
train = train.cache("/local/woof.bytes")
train = train.shuffle(4096)
train = train.map(random_window, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(128, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = keras.applications.ResNet50V2(weights=None, classes=len(BREEDS), input_shape=(SIDE, SIDE, 3))
inputs = keras.Input((SIDE, SIDE, 3))
model = keras.Model(inputs, model(keras.layers.Rescaling(1 / 127.5, -1)(inputs)))
model.compile(keras.optimizers.SGD(0.1, momentum=0.9), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=90)
