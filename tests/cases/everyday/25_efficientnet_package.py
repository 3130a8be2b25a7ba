import numpy as np
import pandas as pd
import tensorflow as tf
from efficientnet.tfkeras import EfficientNetB3, preprocess_input
from sklearn.model_selection import train_test_split

IMG_DIR = 'data/retina/train_images/'
SIZE = 300
BS = 16

df = pd.read_csv('data/retina/train.csv')
df['path'] = IMG_DIR + df['id_code'] + '.png'
train_df, val_df = train_test_split(df, test_size=0.15, stratify=df['diagnosis'], random_state=7)


def load_image(path, label):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    img = tf.image.resize(tf.image.central_crop(img, 0.85), (SIZE, SIZE))
    img = preprocess_input(img)
    return img, label


def to_dataset(frame, training):
    ds = tf.data.Dataset.from_tensor_slices((frame['path'].values, frame['diagnosis'].values.astype(np.float32)))
    if training:
        ds = ds.shuffle(len(frame))
    ds = ds.map(load_image)
    ds = ds.batch(BS)
    return ds


base = EfficientNetB3(weights='imagenet', include_top=False, input_shape=(SIZE, SIZE, 3), pooling='avg')
out = tf.keras.layers.Dense(1)(tf.keras.layers.Dropout(0.4)(base.output))
model = tf.keras.Model(base.input, out)
model.compile(tf.keras.optimizers.Adam(1e-4), loss='mse', metrics=['mae'])

train_ds = to_dataset(train_df, True)
val_ds = to_dataset(val_df, False)
model.fit(train_ds, validation_data=val_ds, epochs=15,
          callbacks=[tf.keras.callbacks.ModelCheckpoint('retina.h5', save_best_only=True, verbose=1)])

model.load_weights('retina.h5')
grades = np.clip(np.rint(model.predict(val_ds)), 0, 4).astype(int).ravel()
print('exact:', np.mean(grades == val_df['diagnosis'].values))
