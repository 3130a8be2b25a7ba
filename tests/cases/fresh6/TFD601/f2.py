import tensorflow as tf

FORMAT = "channels_first"


class Net(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.conv1 = tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu", data_format=FORMAT)
        self.conv2 = tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu", data_format=FORMAT)
        self.pool = tf.keras.layers.GlobalAveragePooling2D(data_format=FORMAT)
        self.out = tf.keras.layers.Dense(classes)

    def call(self, x):
        x = tf.transpose(x, (0, 3, 1, 2)) / 255.0
        return self.out(self.pool(self.conv2(self.conv1(x))))


train = tf.keras.utils.image_dataset_from_directory(
    "/data/food/train", image_size=(224, 224), batch_size=64)
model = Net(len(train.class_names))
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=10)
