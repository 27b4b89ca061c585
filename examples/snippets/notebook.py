# SPDX-License-Identifier: BSD-3-Clause
"""What docs/notebooks.md shows: mpiexec -n 4 python notebook.py FOLDER draws it into FOLDER/notebook-*.png."""

import sys

import matplotlib
import numpy
import sixstep

matplotlib.use("agg")

# [progress]
layout = sixstep.Layout.pencil((96, 96, 96), sixstep.ranks())
with sixstep.progress():  # a bar for each search and file
    plan = sixstep.Plan(layout, kinds="r2c", tuning="quick", tuning_seconds=0.5)
# [progress]

# [plots]
h = 2 * numpy.pi / 96
u = sixstep.Array.from_function(lambda i, j, k: numpy.exp(numpy.sin(h * (i + 2 * j)) + numpy.cos(3 * h * k)), layout)
slice_axes = u.plot()  # the middle plane; u.plot(numpy.s_[:, 5]) another
spectrum_axes = u.plot(spectrum=True)
layout_axes = layout.plot()
timeline = plan.plot("prediction")  # "trace": what a plan with the option trace has done
# [plots]

drawn = {"slice": slice_axes, "spectrum": spectrum_axes, "layout": layout_axes, "timeline": timeline}
assert [each is None for each in drawn.values()] == [sixstep.rank() != 0] * 2 + [False, sixstep.rank() != 0]
html = plan._repr_html_()
assert "<svg" in html and "predicted" in html
if sixstep.rank() == 0:
    for folder in sys.argv[1:]:
        for name, each in drawn.items():
            figure = each if name == "timeline" else each.figure
            figure.savefig(f"{folder}/notebook-{name}.png", dpi=80)
    print("drawn on", sixstep.ranks(), "ranks")
