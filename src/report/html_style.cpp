#include "report/html_style.hpp"

namespace envgen::report {

const std::string_view html_style = R"css(
:root {
  color-scheme: light dark;
  --page: #fff; --ink: #1b1f24; --quiet: #57606a; --line: #d0d7de; --panel: #f6f8fa;
  --pass: #006a4e; --warn: #8a5a00; --fail: #b33a00; --bar: #0072b2; --bar-warn: #e69f00; --bar-fail: #d55e00;
  --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #a8457f; --s4: #b07d00; --s5: #2a7fb0; --heat: 0, 114, 178;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1318; --ink: #e6edf3; --quiet: #9aa5b1; --line: #343b44; --panel: #181d24;
    --pass: #4fd1a5; --warn: #f0b84a; --fail: #ff8f5a; --bar: #56b4e9; --bar-warn: #e69f00; --bar-fail: #ef7d3a;
    --s0: #56b4e9; --s1: #ef7d3a; --s2: #2fc79a; --s3: #e08bbd; --s4: #e6b94a; --s5: #9cc9e8; --heat: 86, 180, 233;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 .4rem; overflow-wrap: anywhere; }
small, .quiet { color: var(--quiet); font-weight: normal; font-size: .87rem; }
p { margin: .4rem 0; }
a { color: inherit; }
code, pre { font: .87rem/1.45 ui-monospace, "Liberation Mono", "DejaVu Sans Mono", monospace; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; margin: .5rem 0;
  white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 600; }
.verdict { font-weight: 600; }
.pass { color: var(--pass); } .warn { color: var(--warn); } .fail { color: var(--fail); } .unknown { color: var(--quiet); }
.status { white-space: nowrap; font-weight: 600; }
.checks td:nth-child(2) { white-space: nowrap; }
.checks th { overflow-wrap: normal; }
.checks th:nth-child(1) { width: 7rem; } .checks th:nth-child(2) { width: 12rem; }
.notice { border: 2px solid var(--warn); border-radius: 6px; padding: .7rem 1rem; margin: 1rem 0; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem; }
.wide { grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; min-width: 0; }
.panel dl { font-size: .9rem; }
.bar { display: grid; grid-template-columns: 4.5rem 1fr 11.5rem; gap: .6rem; align-items: center; margin: .3rem 0; font-size: .87rem; }
.bar svg { width: 100%; height: 1.1rem; display: block; overflow: visible; }
.bar .figure { line-height: 1.25; }
.track { fill: var(--line); opacity: .45; }
.value { fill: var(--bar); } .value.warn { fill: var(--bar-warn); } .value.fail { fill: var(--bar-fail); } .value.information { opacity: .75; }
.reference { stroke: var(--ink); stroke-width: 2.5; } .threshold { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 3 2; }
.reference, .threshold { vector-effect: non-scaling-stroke; }
figure { margin: 0; }
.chart { width: 100%; height: auto; display: block; }
.chart text { fill: var(--quiet); font-size: 12px; }
.axis { stroke: var(--line); } .curve { fill: none; stroke-width: 2; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .87rem; }
.legend svg { width: 2.4rem; height: .9rem; vertical-align: -.1rem; margin-right: .3rem; }
.s0 { stroke: var(--s0); } .s1 { stroke: var(--s1); stroke-dasharray: 7 3; } .s2 { stroke: var(--s2); stroke-dasharray: 2 3; }
.s3 { stroke: var(--s3); stroke-dasharray: 9 3 2 3; } .s4 { stroke: var(--s4); stroke-dasharray: 4 4; } .s5 { stroke: var(--s5); stroke-dasharray: 12 3; }
.m0 { fill: var(--s0); } .m1 { fill: var(--s1); } .m2 { fill: var(--s2); } .m3 { fill: var(--s3); } .m4 { fill: var(--s4); } .m5 { fill: var(--s5); }
.scroll { overflow-x: auto; }
.matrix { width: auto; min-width: 60%; font-variant-numeric: tabular-nums; }
.matrix th, .matrix td { text-align: right; white-space: nowrap; overflow-wrap: normal; }
.matrix .none { color: var(--quiet); }
.h1 { background: rgba(var(--heat), .06); } .h2 { background: rgba(var(--heat), .14); } .h3 { background: rgba(var(--heat), .22); }
.h4 { background: rgba(var(--heat), .3); } .h5 { background: rgba(var(--heat), .38); }
ul { padding-left: 1.2rem; margin: .4rem 0; } li { margin: .25rem 0; overflow-wrap: anywhere; }
footer { margin-top: 2.5rem; color: var(--quiet); font-size: .87rem; }
@media (max-width: 40rem) {
  body { padding: .8rem; }
  .bar { grid-template-columns: 1fr; gap: .1rem; margin: .6rem 0; }
  .checks thead { display: none; }
  .checks tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0; }
  .checks td { display: inline; border: 0; padding: 0 .5rem 0 0; }
  .checks td:last-child { display: block; padding: .1rem 0 0; }
  header dl, article dl { grid-template-columns: 1fr; gap: 0; } header dd, article dd { margin-bottom: .3rem; }
}
@media print {
  :root {
    color-scheme: light;
    --page: #fff; --ink: #000; --quiet: #444; --line: #bbb; --panel: #fff;
    --pass: #006a4e; --warn: #8a5a00; --fail: #b33a00; --bar: #0072b2; --bar-warn: #e69f00; --bar-fail: #d55e00;
    --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #a8457f; --s4: #b07d00; --s5: #2a7fb0; --heat: 0, 114, 178;
  }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  svg, .matrix td, .notice { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .panel, tr, .bar, .notice, figure { break-inside: avoid; }
  h2, h3, section > p { break-after: avoid; break-inside: avoid; }
  .scroll { overflow: visible; } .matrix { font-size: 8.5pt; }
  .chart text { font-size: 14px; } .bar small { font-size: 7.5pt; }
  .grid, .wide { grid-template-columns: 1fr 1fr; gap: .6rem; }
  .bar { grid-template-columns: 3.2rem 1fr 9rem; gap: .4rem; font-size: 8.5pt; }
}
)css";

}  // namespace envgen::report
