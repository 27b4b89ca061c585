; SPDX-License-Identifier: BSD-3-Clause
; Bands of a photonic crystal: spheres of a face-centred cubic lattice.
(set! geometry-lattice (make lattice (size 1 1 1) (basis1 0 1 1) (basis2 1 0 1) (basis3 1 1 0) (basis-size (sqrt 0.5) (sqrt 0.5) (sqrt 0.5))))
(set! geometry (list (make sphere (center 0 0 0) (radius 0.25) (material (make dielectric (epsilon 11.56))))))
(set! k-points (list (vector3 0 0.5 0.5)))
(set! resolution 32)
(set! mesh-size 5)
(set! num-bands 8)
(set! deterministic? true)
(set! tolerance 1e-8)
(run)
