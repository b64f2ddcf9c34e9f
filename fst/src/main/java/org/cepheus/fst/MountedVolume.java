package org.cepheus.fst;

import org.cepheus.fst.volume.IoPool;
import org.cepheus.fst.volume.Volume;

/** A volume and the threads that may touch it. */
record MountedVolume(Volume volume, IoPool pool) {}
