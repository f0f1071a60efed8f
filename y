digraph {
  graph [rankdir="LR", fontname="DejaVu Sans"];
  node [fontname="DejaVu Sans"];
  "n1" [label="{ a | data 2.0000 | grad 0.0054 }", shape="record"];
  "n2" [label="{  | data 4.0000 | grad 0.0013 }", shape="record"];
  "n2op" [label="*"];
  "n2op" -> "n2";
  "n1" -> "n2op";
  "n3" [label="{  | data 0.9993 | grad 1.0000 }", shape="record"];
  "n3op" [label="tanh"];
  "n3op" -> "n3";
  "n2" -> "n3op";
}
