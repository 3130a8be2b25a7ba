# Distracted driver detection, VGG transfer learning
import tensorflow as tf
from tensorflow.keras.preprocessing.image import ImageDataGenerator

TRAIN = "/content/imgs/train"
IMG, BATCH, CLASSES = 224, 32, 10
N_TRAIN = 22424

augment = ImageDataGenerator(
    rotation_range=15,
    width_shift_range=0.1,
    height_shift_range=0.1,
    zoom_range=0.15,
    channel_shift_range=20,
    preprocessing_function=tf.keras.applications.vgg16.preprocess_input,
)


def flow():
    return augment.flow_from_directory(
        TRAIN, target_size=(IMG, IMG), batch_size=BATCH, class_mode="categorical")


signature = (
    tf.TensorSpec((None, IMG, IMG, 3), tf.float32),
    tf.TensorSpec((None, CLASSES), tf.float32),
)
train = tf.data.Dataset.from_generator(flow, output_signature=signature)
train = train.prefetch(tf.data.AUTOTUNE)

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    vgg = tf.keras.applications.VGG16(include_top=False, input_shape=(IMG, IMG, 3))
    for layer in vgg.layers[:-4]:
        layer.trainable = False
    model = tf.keras.Sequential([
        vgg,
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dropout(0.5),
        tf.keras.layers.Dense(CLASSES, activation="softmax"),
    ])
    model.compile(
        optimizer=tf.keras.optimizers.SGD(1e-3, momentum=0.9),
        loss="categorical_crossentropy",
        metrics=["accuracy"],
    )

model.fit(train, steps_per_epoch=N_TRAIN // BATCH, epochs=20)
model.save("driver_vgg.h5")
