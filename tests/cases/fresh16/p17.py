import abc

import numpy as np
import tensorflow as tf
from rdkit import Chem
from rdkit.Chem import AllChem

BITS = 2048


class WorkerFeed(abc.ABC):
    """What a training worker reads; the cluster is described by TF_CONFIG."""

    batch_per_replica = 256

    def __init__(self, strategy):
        self.strategy = strategy

    @abc.abstractmethod
    def elements(self):
        ...

    signature = None

    def distributed(self):
        size = self.batch_per_replica * self.strategy.num_replicas_in_sync
        ds = tf.data.Dataset.from_generator(self.elements, output_signature=self.signature)
        ds = ds.shuffle(8192, seed=11).batch(size, drop_remainder=True)
        ds = ds.prefetch(tf.data.AUTOTUNE)
        return self.strategy.experimental_distribute_dataset(ds)


class Fingerprints(WorkerFeed):
    signature = (tf.TensorSpec((BITS,), tf.float32), tf.TensorSpec((1,), tf.float32))

    def __init__(self, strategy, smiles, affinity):
        super().__init__(strategy)
        self.smiles = smiles
        self.affinity = affinity

    def elements(self):
        for text, value in zip(self.smiles, self.affinity):
            mol = Chem.AddHs(Chem.MolFromSmiles(text))
            AllChem.EmbedMolecule(mol, randomSeed=7)
            bits = AllChem.GetMorganFingerprintAsBitVect(mol, 3, nBits=BITS)
            yield np.array(bits, np.float32), np.array([value], np.float32)


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    table = np.load("chembl_kinase.npz", allow_pickle=True)
    feed = Fingerprints(strategy, table["smiles"], table["pic50"])
    batches = feed.distributed()
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.Input((BITS,)),
            tf.keras.layers.Dense(1024, activation="relu"),
            tf.keras.layers.Dropout(0.2),
            tf.keras.layers.Dense(1),
        ])
        optimizer = tf.keras.optimizers.Adam(1e-4)
        optimizer.build(model.trainable_variables)

    global_batch = feed.batch_per_replica * strategy.num_replicas_in_sync

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            per_row = tf.square(model(x, training=True) - y)[:, 0]
            loss = tf.nn.compute_average_loss(per_row, global_batch_size=global_batch)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    @tf.function
    def step(batch):
        losses = strategy.run(replica_step, args=batch)
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    for epoch in range(25):
        total, count = tf.constant(0.0), 0
        for batch in batches:
            total += step(batch)
            count += 1
        print(epoch, float(total) / max(count, 1))


if __name__ == "__main__":
    main()
