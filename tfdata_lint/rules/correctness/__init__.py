"""Rules about pipelines that give wrong data, hang, or do not do what is written."""
