# Operators run jobs in every namespace, and drain nodes.
namespace "*" {
  policy = "write"
}

node {
  policy = "write"
}

agent {
  policy = "read"
}
