import tensorflow as tf

from dicom import load_slice

scans = tf.data.Dataset.list_files("mri/*.dcm")
scans = scans.map(load_slice, num_parallel_calls=tf.data.AUTOTUNE)
scans = scans.batch(4).prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("mri.keras")
print(model.predict(scans).shape)
