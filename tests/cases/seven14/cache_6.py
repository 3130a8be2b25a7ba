"""Knowledge distillation: a frozen ResNet152 teaches a MobileNet."""
import tensorflow as tf

CLASSES = 120
IMG = 224


def dogs(split):
    return tf.keras.utils.image_dataset_from_directory(
        f"/data/stanford_dogs/{split}", image_size=(IMG, IMG), batch_size=64,
        shuffle=split == "train", label_mode="int", seed=4)


def with_teacher(ds, teacher):
    pre = tf.keras.applications.resnet.preprocess_input

    def label(x, y):
        return x, (y, teacher(pre(x), training=False))
    return ds.map(label, num_parallel_calls=2)


class Distiller(tf.keras.Model):
    def __init__(self, student, temperature=4.0, alpha=0.3):
        super().__init__()
        self.student, self.t, self.alpha = student, temperature, alpha
        self.meter = tf.keras.metrics.Mean("kd_loss")

    def train_step(self, data):
        x, (y, soft) = data
        with tf.GradientTape() as tape:
            out = self.student(x, training=True)
            hard = tf.keras.losses.sparse_categorical_crossentropy(y, out, from_logits=True)
            kd = tf.keras.losses.kl_divergence(tf.nn.softmax(soft / self.t), tf.nn.softmax(out / self.t))
            loss = tf.reduce_mean(self.alpha * hard + (1 - self.alpha) * self.t ** 2 * kd)
        g = tape.gradient(loss, self.student.trainable_variables)
        self.optimizer.apply_gradients(zip(g, self.student.trainable_variables))
        self.meter.update_state(loss)
        return {"loss": self.meter.result()}


def main():
    teacher = tf.keras.models.load_model("/models/dogs_resnet152.keras")
    teacher.trainable = False
    train = dogs("train").cache("/scratch/dogs_px")
    train = with_teacher(train, teacher).prefetch(tf.data.AUTOTUNE)
    student = tf.keras.applications.MobileNetV3Small(
        input_shape=(IMG, IMG, 3), weights=None, classes=CLASSES, classifier_activation=None)
    d = Distiller(student)
    d.compile(tf.keras.optimizers.Adam(1e-3))
    d.fit(train, epochs=80)
    student.save("/models/dogs_small.keras")


main()
