import keras
import tensorflow as tf

SIDE, BATCH = 192, 64


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.random_flip_left_right(tf.image.resize(image, (SIDE, SIDE)))
    return image, tf.cast(tf.strings.regex_full_match(path, ".*/smoke/.*"), tf.float32)


def normal(images, smoke):
    return images / 127.5 - 1.0, smoke


train = tf.data.Dataset.list_files("/data/smoke/train/*/*.jpg")
train = train.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(BATCH, drop_remainder=True)
train = train.map(normal, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

inputs = x = keras.Input((SIDE, SIDE, 3))
for width in (32, 64, 128, 256):
    x = keras.layers.Conv2D(width, 3, strides=2, padding="same", use_bias=False)(x)
    x = keras.layers.ReLU(6.0)(keras.layers.BatchNormalization()(x))
x = keras.layers.GlobalAveragePooling2D()(x)
model = keras.Model(inputs, keras.layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy", metrics=[keras.metrics.AUC()])
model.fit(train, epochs=70)


class Camera(tf.Module):
    """What the camera's firmware calls: one frame as three planes (NCHW, uint8)."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    @tf.function(input_signature=[tf.TensorSpec((1, 3, SIDE, SIDE), tf.uint8, name="frame")])
    def detect(self, frame):
        pixels = tf.transpose(tf.cast(frame, tf.float32), (0, 2, 3, 1))
        return {"smoke": self.net(pixels / 127.5 - 1.0, training=False)}


tf.saved_model.save(Camera(model), "export/smoke")
