import numpy as np
import tensorflow as tf
import trimesh


class Data:
    def __init__(self, files, labels, batch):
        self.files, self.labels, self.batch = files, labels, batch

    def source(self):
        ds = tf.data.Dataset.from_tensor_slices((self.files, self.labels))
        return ds.shuffle(len(self.files)).repeat()

    def __call__(self):
        ds = self.source().map(self.example, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)


class Meshes(Data):
    points = 1024

    @classmethod
    def _vertices(cls, path):
        mesh = trimesh.load(path.decode())
        curvature = trimesh.curvature.discrete_gaussian_curvature_measure(mesh, mesh.vertices, 0.05)
        table = np.column_stack([mesh.vertices, curvature]).astype(np.float32)
        return np.resize(table, (cls.points, 4))

    def example(self, path, label):
        table = tf.numpy_function(self._vertices, [path], tf.float32)
        return tf.ensure_shape(table, (self.points, 4)), label


files = sorted(tf.io.gfile.glob("ModelNet10/*/train/*.off"))
names = sorted({f.split("/")[-3] for f in files})
data = Meshes(files, [names.index(f.split("/")[-3]) for f in files], 32)
model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(64, 1, activation="relu"),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(data(), steps_per_epoch=len(files) // 32, epochs=20)
