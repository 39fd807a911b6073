# Engineers run jobs in the namespace "default", and see on which nodes they run.
namespace "default" {
  policy = "write"
}

node {
  policy = "read"
}
